# Z3::Z3: the C++ API (z3++.h) and libz3. Neither Debian's package nor the Python wheel has a CMake config. In this order:
#   1. MMAPRINT_Z3_ROOT (CMake or environment variable): a prefix, or the z3 directory of a z3-solver wheel; nothing else is tried then
#   2. the z3-solver wheel of the python3 in PATH
#   3. the distribution's libz3-dev
set(MMAPRINT_Z3_ROOT "" CACHE PATH "prefix of Z3, or the z3 directory of a z3-solver wheel")
if(NOT MMAPRINT_Z3_ROOT AND NOT "$ENV{MMAPRINT_Z3_ROOT}" STREQUAL "")
  # Kept, because ninja may run CMake again in another environment.
  set_property(CACHE MMAPRINT_Z3_ROOT PROPERTY VALUE "$ENV{MMAPRINT_Z3_ROOT}")
endif()

# Searched anew on every run (NO_CACHE), so that changing the root is enough.
macro(_z3_look_in directory)
  find_path(Z3_INCLUDE_DIR z3++.h PATHS "${directory}" PATH_SUFFIXES include NO_DEFAULT_PATH NO_CACHE)
  find_library(Z3_LIBRARY NAMES z3 libz3 PATHS "${directory}" NO_DEFAULT_PATH NO_CACHE
    PATH_SUFFIXES lib lib/${CMAKE_LIBRARY_ARCHITECTURE} lib64 bin)  # bin: Z3's own release archives
endmacro()

unset(Z3_INCLUDE_DIR)
unset(Z3_LIBRARY)
if(MMAPRINT_Z3_ROOT)
  _z3_look_in("${MMAPRINT_Z3_ROOT}")
  set(_z3_failure "MMAPRINT_Z3_ROOT is ${MMAPRINT_Z3_ROOT}, where include/z3++.h and lib/libz3.so are expected")
else()
  set(_z3_failure "install libz3-dev, or set MMAPRINT_Z3_ROOT")
  find_program(_z3_python python3 NO_CACHE)
  if(_z3_python)
    # find_spec finds the package without loading it.
    execute_process(
      COMMAND "${_z3_python}" -c
        "import importlib.util as u; s = u.find_spec('z3'); print((s and s.submodule_search_locations or [''])[0], end='')"
      OUTPUT_VARIABLE _z3_wheel ERROR_QUIET RESULT_VARIABLE _z3_failed TIMEOUT 10)
    if(NOT _z3_failed AND EXISTS "${_z3_wheel}/include/z3++.h" AND EXISTS "${_z3_wheel}/lib/libz3.so")
      _z3_look_in("${_z3_wheel}")
    endif()
  endif()
  find_path(Z3_INCLUDE_DIR z3++.h NO_CACHE)
  find_library(Z3_LIBRARY z3 NO_CACHE)
endif()

# The wheel has no z3_version.h; its version stands in the name of the directory beside it.
set(Z3_VERSION)
if(EXISTS "${Z3_INCLUDE_DIR}/z3_version.h")
  file(STRINGS "${Z3_INCLUDE_DIR}/z3_version.h" _z3_numbers REGEX "Z3_(MAJOR|MINOR|BUILD)")
  string(REGEX REPLACE "[^0-9;]*Z3_[A-Z]+_[A-Z]+ +([0-9]+)[^;]*" "\\1" _z3_numbers "${_z3_numbers}")
  list(JOIN _z3_numbers "." Z3_VERSION)
elseif(Z3_INCLUDE_DIR)
  get_filename_component(_z3_packages "${Z3_INCLUDE_DIR}/../.." ABSOLUTE)
  file(GLOB _z3_metadata "${_z3_packages}/z3_solver-*.dist-info")
  if(_z3_metadata MATCHES "z3_solver-([0-9.]*[0-9])")
    set(Z3_VERSION "${CMAKE_MATCH_1}")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Z3 REQUIRED_VARS Z3_LIBRARY Z3_INCLUDE_DIR VERSION_VAR Z3_VERSION
  REASON_FAILURE_MESSAGE "${_z3_failure}")

if(Z3_FOUND AND NOT TARGET Z3::Z3)
  add_library(Z3::Z3 UNKNOWN IMPORTED)
  set_target_properties(Z3::Z3 PROPERTIES IMPORTED_LOCATION "${Z3_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Z3_INCLUDE_DIR}")
endif()
