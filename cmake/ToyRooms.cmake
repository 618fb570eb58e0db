# Rooms once more, compiled against copies of some of their headers into which something was put.

# toy_insert(TEXT AFTER WHAT): in the variable named TEXT.
function(toy_insert variable after what)
  string(FIND "${${variable}}" "${after}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}: there is no \"${after}\" any more for the toy to stand behind")
  endif()
  string(REPLACE "${after}" "${after}${what}" text "${${variable}}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# toy_rooms(TARGET HEADERS OPTION ROOMS...): a library of these rooms, and of what they need of `device`. A room is named
# whole, or by single sources without their ending. HEADERS is the folder of the copies.
function(toy_rooms target headers option)
  # A room at once, as the headers are most of the work.
  set(all)
  foreach(part ${ARGN})
    if(part MATCHES "^(.*)/")
      set(room ${CMAKE_MATCH_1})
      set(sources ${CMAKE_SOURCE_DIR}/${part}.cpp)
    else()
      set(room ${part})
      file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${room}/*.cpp)
    endif()
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${room})
    list(APPEND all ${sources})
  endforeach()
  list(APPEND all ${CMAKE_SOURCE_DIR}/device/matmul_unit.cpp ${CMAKE_SOURCE_DIR}/device/simulated.cpp
    ${CMAKE_SOURCE_DIR}/device/tile_inputs.cpp)
  add_library(${target} STATIC ${all})
  target_include_directories(${target} BEFORE PUBLIC ${headers})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${target} PUBLIC mmaprint_base Boost::headers nlohmann_json::nlohmann_json
    PRIVATE CaDiCaL::CaDiCaL Z3::Z3 fmt::fmt spdlog::spdlog Threads::Threads)
  mmaprint_warnings(${target})
  # The rooms' own commands are for clang-tidy.
  set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS OFF UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE ${option})
endfunction()
