# perigee_embed_pages(target folder): adds the files of a folder to a program, for shell/pages.hpp.
function(perigee_embed_pages target folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*)
  set(types html text/html js text/javascript css text/css
            wasm application/wasm json application/json svg image/svg+xml png image/png
            woff2 font/woff2 txt text/plain)
  set(contents ".section .note.GNU-stack,\"\",%progbits\n.section .rodata\n")
  set(declared)
  set(rows)
  set(number 0)
  foreach(file ${files})
    get_filename_component(extension ${file} LAST_EXT)
    string(SUBSTRING "${extension}." 1 -1 extension)
    string(REGEX REPLACE "\\.$" "" extension ${extension})
    list(FIND types ${extension} at)
    if(at EQUAL -1)
      message(FATAL_ERROR "${folder}/${file}: embed_pages.cmake has no content type for .${extension}")
    endif()
    math(EXPR at "${at} + 1")
    list(GET types ${at} type)
    string(APPEND contents ".global perigee_page_${number}\n.global perigee_page_${number}_end\n"
                           "perigee_page_${number}:\n.incbin \"${folder}/${file}\"\nperigee_page_${number}_end:\n.byte 0\n")
    string(APPEND declared "extern const char perigee_page_${number}[], perigee_page_${number}_end[];\n")
    string(APPEND rows "  Page{\"/${file}\", \"${type}\", {perigee_page_${number}, "
                       "static_cast<std::size_t>(perigee_page_${number}_end - perigee_page_${number})}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/page_contents.s @ONLY CONTENT "${contents}")
  string(CONCAT table "#include \"pages.hpp\"\n\nextern \"C\" {\n${declared}}\n\nnamespace perigee::console {\n\n"
    "std::span<const Page> pages() {\n  static const Page all[] = {\n${rows}  };\n  return all;\n}\n\n"
    "}  // namespace perigee::console\n")
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/page_table.cpp @ONLY CONTENT "${table}")
  list(TRANSFORM files PREPEND ${folder}/)
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/page_contents.s PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page_contents.s ${CMAKE_CURRENT_BINARY_DIR}/page_table.cpp)
endfunction()
