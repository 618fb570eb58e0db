# mmaprint_lanes(TARGET SOURCE): compiles the source once for each level of the x86-64 ABI that has vectors worth it and
# each width of lanes, and adds the objects to the target. Of each, only mmaprint_lanes_LEVEL_BITS is seen from outside: whatever
# else it holds (templates and inline functions, compiled for that level, too) stays its own. Otherwise the linker could
# choose these for all of the program, which then runs on no older processor.
function(mmaprint_lanes target source)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    message(STATUS "vector instructions: none are used on ${CMAKE_SYSTEM_PROCESSOR} with ${CMAKE_CXX_COMPILER_ID}")
    return()
  endif()
  find_path(HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED)
  foreach(level_and_bits v3_32 v3_64 v4_32 v4_64)
    string(REPLACE "_" ";" level_and_bits ${level_and_bits})
    list(GET level_and_bits 0 level)
    list(GET level_and_bits 1 bits)
    set(object mmaprint_lanes_${level}_${bits})
    add_library(${object} OBJECT ${source})
    target_include_directories(${object} PRIVATE ${CMAKE_SOURCE_DIR})
    target_include_directories(${object} SYSTEM PRIVATE ${HIGHWAY_INCLUDE_DIR})
    target_link_libraries(${object} PRIVATE ${ARGN})
    # Values of several vectors are copied by vectors: what is stored in halves and loaded whole stalls.
    set(vector 256)
    if(level STREQUAL v4)
      set(vector 512)
    endif()
    target_compile_options(${object} PRIVATE -march=x86-64-${level} -maes -mpclmul -mmove-max=${vector} -mstore-max=${vector})
    # What is to become one function does so only where none of it was split or cloned before.
    target_compile_options(${object} PRIVATE -fno-ipa-cp -fno-ipa-sra -fno-partial-inlining)
    # What a node's operands amount to is many vectors, which are to stay in registers one by one.
    target_compile_options(${object} PRIVATE --param=sra-max-scalarization-size-Ospeed=4096)
    # With checks inlined, too, each takes minutes and gigabytes; without optimisation, whatever searches takes as long.
    # So sanitizers see what lanes are given and give, not what is between.
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
      target_compile_options(${object} PRIVATE -O2 -fno-sanitize=all -U_GLIBCXX_ASSERTIONS)
    endif()
    target_compile_definitions(${object} PRIVATE MMAPRINT_LANE_KERNEL=${object} MMAPRINT_LANE_BITS=${bits})
    set_target_properties(${object} PROPERTIES UNITY_BUILD OFF)
    mmaprint_warnings(${object})
    set(whole ${CMAKE_CURRENT_BINARY_DIR}/${object}_whole.o)
    set(alone ${CMAKE_CURRENT_BINARY_DIR}/${object}.o)
    add_custom_command(OUTPUT ${alone}
      COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${whole} $<TARGET_OBJECTS:${object}>
      COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=${object} ${whole} ${alone}
      DEPENDS ${object} $<TARGET_OBJECTS:${object}> COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${target} PRIVATE ${alone})
    set_source_files_properties(${alone} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    set_property(GLOBAL APPEND PROPERTY mmaprint_lanes ${alone})  # for a test of what they show
  endforeach()
  target_compile_definitions(${target} PRIVATE MMAPRINT_LANES)
endfunction()
