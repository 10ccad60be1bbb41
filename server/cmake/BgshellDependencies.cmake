# Everything comes from Debian 12; nothing is fetched or vendored.
set(Boost_USE_STATIC_LIBS ON)
find_package(Boost 1.81 REQUIRED CONFIG COMPONENTS headers json)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SQLITE3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
find_package(CLI11 REQUIRED)

# Only .so files are shipped for spdlog and fmt: header-only, so that the release binary is static.
add_library(bgshell_spdlog INTERFACE)
target_compile_definitions(bgshell_spdlog INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)

# The same for toml++, whose own targets link its .so.
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
add_library(bgshell_toml INTERFACE)
target_include_directories(bgshell_toml SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE_DIR})

add_library(bgshell_sqlite INTERFACE)
add_library(bgshell_re2 INTERFACE)
if(BGSHELL_STATIC)
  find_library(SQLITE3_ARCHIVE libsqlite3.a REQUIRED)
  find_library(RE2_ARCHIVE libre2.a REQUIRED)
  target_link_libraries(bgshell_sqlite INTERFACE ${SQLITE3_ARCHIVE} Threads::Threads m)
  target_link_libraries(bgshell_re2 INTERFACE ${RE2_ARCHIVE} Threads::Threads)
else()
  target_link_libraries(bgshell_sqlite INTERFACE PkgConfig::SQLITE3)
  target_link_libraries(bgshell_re2 INTERFACE PkgConfig::RE2)
endif()
