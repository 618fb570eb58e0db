# cmake --install: the program, the library with its headers, and what find_package(mmaprint) reads. Included after all
# rooms. Each room is an archive of its own; mmaprint::mmaprint is the one that users link, and brings the others along.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(rooms GLOBAL PROPERTY mmaprint_rooms)
list(REMOVE_ITEM rooms cli)
list(TRANSFORM rooms PREPEND mmaprint_ OUTPUT_VARIABLE room_targets)
foreach(room IN LISTS rooms)
  set_target_properties(mmaprint_${room} PROPERTIES EXPORT_NAME ${room})
endforeach()
set_target_properties(mmaprint_library PROPERTIES EXPORT_NAME mmaprint)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/mmaprint)
install(TARGETS ${room_targets} EXPORT mmaprint ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS mmaprint RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY library/mmaprint DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${CMAKE_BINARY_DIR}/library/mmaprint/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mmaprint)
install(EXPORT mmaprint FILE mmaprint-targets.cmake NAMESPACE mmaprint:: DESTINATION ${package})

configure_package_config_file(cmake/mmaprint-config.cmake.in ${CMAKE_BINARY_DIR}/mmaprint-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/mmaprint-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/mmaprint-config.cmake ${CMAKE_BINARY_DIR}/mmaprint-config-version.cmake
  cmake/FindCaDiCaL.cmake cmake/FindZ3.cmake DESTINATION ${package})
