# Installs a build into a prefix of its own, and builds and runs an example that knows nothing but that prefix.
#   cmake -DBUILD=.. -DEXAMPLE=.. -DWORK=.. -DFLAGS=.. -DGENERATOR=.. -DCOMPILER=.. -DBUILD_TYPE=.. -P package.cmake
file(REMOVE_RECURSE ${WORK})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${EXAMPLE} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${WORK}/prefix
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DMMAPRINT_Z3_ROOT=${Z3_ROOT}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/identify_a_dot_product)
