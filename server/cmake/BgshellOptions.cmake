# bgshell_options: the flags that every target of ours is compiled with. Third-party headers are
# SYSTEM, so the warnings speak of our code only.
add_library(bgshell_options INTERFACE)
target_compile_options(bgshell_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor)
target_compile_definitions(bgshell_options INTERFACE
  BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION _GNU_SOURCE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # With optimisation g++ 12 takes the destructor of a std::variant for a read of every alternative, and
  # Asio's pair of allocation functions for coroutine frames for a mismatch.
  target_compile_options(bgshell_options INTERFACE
    -Wno-maybe-uninitialized -Wno-mismatched-new-delete)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(bgshell_options INTERFACE -O2 -g -fstack-protector-strong)
  target_compile_definitions(bgshell_options INTERFACE _FORTIFY_SOURCE=2)
  target_link_options(bgshell_options INTERFACE -Wl,-z,relro,-z,now)
endif()

if(BGSHELL_SANITIZE)
  target_compile_options(bgshell_options INTERFACE
    -fsanitize=${BGSHELL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(bgshell_options INTERFACE -fsanitize=${BGSHELL_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND BGSHELL_SANITIZE MATCHES "undefined")
    # clang 14 reports every coroutine resumption as a call through the wrong function type.
    target_compile_options(bgshell_options INTERFACE -fno-sanitize=function)
  endif()
endif()
if(BGSHELL_SANITIZE MATCHES "thread")
  target_sources(bgshell_options INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${CMAKE_CURRENT_LIST_DIR}/tsan_options.cpp>)
endif()
if(BGSHELL_FUZZ)
  target_compile_options(bgshell_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # In a unity build every unnamed namespace is one of an included file, which is what this warns of.
  target_compile_options(bgshell_options INTERFACE -Wno-subobject-linkage)
endif()

# Developer tools, used where present.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
