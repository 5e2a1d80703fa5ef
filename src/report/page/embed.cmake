# Puts style and script into the page, and the page into a C++ string literal:
# FOLDER/page.css and FOLDER/page.js into PAGE, giving FOLDER/page.inc.
file(READ ${PAGE} page)
file(READ ${FOLDER}/page.css style)
file(READ ${FOLDER}/page.js script)
foreach(text style script)
  if(${text} MATCHES "</(style|script)|\\)awdit\"")
    message(FATAL_ERROR "The ${text} of the page would end too early.")
  endif()
endforeach()
string(REPLACE "/*AWDIT_STYLE*/" "${style}" page "${page}")
string(REPLACE "/*AWDIT_SCRIPT*/" "${script}" page "${page}")
file(WRITE ${FOLDER}/page.inc "R\"awdit(${page})awdit\"\n")
