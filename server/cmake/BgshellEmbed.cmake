# bgshell_embed(TARGET t OUTPUT file.cpp NAMESPACE n FILES a.json b.txt ...)
#
# Compiles files into a target: file.cpp defines `const std::string_view NAMESPACE::<name>` for each, where
# <name> is the file's with every dot as `_` (start.input.json: start_input_json). The target declares
# them in a header of its own. The same files give the same bytes.
function(bgshell_embed)
  cmake_parse_arguments(ARG "" "TARGET;OUTPUT;NAMESPACE" "FILES" ${ARGN})
  set(script ${PROJECT_SOURCE_DIR}/server/cmake/embed_files.cmake)
  list(JOIN ARG_FILES "|" joined)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${ARG_OUTPUT})
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${ARG_NAMESPACE}
      "-DFILES=${joined}" -P ${script}
    DEPENDS ${ARG_FILES} ${script}
    COMMENT "Embedding ${ARG_OUTPUT}"
    VERBATIM)
  target_sources(${ARG_TARGET} PRIVATE ${output})
endfunction()
