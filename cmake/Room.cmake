# mmaprint_room(NAME SOURCES... [HEADERS...] [PUBLIC targets] [PRIVATE targets])
#
# One static library a room, warnings as errors on it alone. Every header of the room - those in its folder, and HEADERS
# of folders below - is compiled by itself, too (HeadersAlone.cmake).
function(mmaprint_warnings target)
  # __int128 is used on purpose (no -Wpedantic); GCC 12 at -O3 reports -Wrestrict for "text" + std::to_string(i).
  set(warnings -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
  list(JOIN warnings "," for_nvcc)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>
    "$<$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>:-Wno-shadow;-Wno-subobject-linkage>"  # across sources that belong apart
    "$<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings;-Xcompiler=${for_nvcc}>")
endfunction()

# mmaprint_link(TARGET PUBLIC|PRIVATE LIBRARY): whoever uses the installed rooms needs no library that is headers alone.
function(mmaprint_link target scope library)
  if(library MATCHES "^(Boost::headers|CLI11::CLI11|nlohmann_json::nlohmann_json)$")
    set(library $<BUILD_INTERFACE:${library}>)
  endif()
  target_link_libraries(${target} ${scope} ${library})
endfunction()

function(mmaprint_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;HEADERS;PUBLIC;PRIVATE" ${ARGN})
  set(target mmaprint_${name})
  add_library(${target} STATIC ${ROOM_SOURCES})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
  foreach(library IN LISTS ROOM_PUBLIC)
    mmaprint_link(${target} PUBLIC ${library})
  endforeach()
  foreach(library IN LISTS ROOM_PRIVATE)
    mmaprint_link(${target} PRIVATE ${library})
  endforeach()
  mmaprint_warnings(${target})

  file(GLOB headers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  list(APPEND headers ${ROOM_HEADERS})
  list(TRANSFORM headers PREPEND ${name}/)
  set_property(GLOBAL APPEND PROPERTY mmaprint_headers ${headers})
  set_property(GLOBAL APPEND PROPERTY mmaprint_rooms ${name})
  set_property(GLOBAL APPEND PROPERTY mmaprint_header_libraries ${target} ${ROOM_PRIVATE})
endfunction()
