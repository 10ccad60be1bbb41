# bgshell_layer(NAME text SOURCES a.cpp ... HEADERS a.hpp ... DEPENDS bgshell_x ... PRIVATE y ...)
#
# One static library per layer of the program. DEPENDS are the layers and libraries that its headers
# need, PRIVATE those that only its sources need: together they are the layer diagram. Headers are
# listed so that each can be compiled alone (target <name>_verify_interface_header_sets).
function(bgshell_layer)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;HEADERS;DEPENDS;PRIVATE" ${ARGN})
  set(target bgshell_${ARG_NAME})
  add_library(${target} STATIC ${ARG_SOURCES})
  target_sources(${target} PUBLIC FILE_SET HEADERS
    BASE_DIRS ${PROJECT_SOURCE_DIR}/server FILES ${ARG_HEADERS})
  target_link_libraries(${target} PUBLIC bgshell_options ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE})
endfunction()
