# Writes the SQL files named in IN as C strings "<stem>_sql" into the header OUT.
set(text "/* Generated from the .sql files beside it; do not edit. */\n#pragma once\n")
string(REPLACE "\\;" ";" IN "${IN}") # the command line keeps the separator escaped
foreach(file IN LISTS IN)
  get_filename_component(stem ${file} NAME_WE)
  string(APPEND text "static const char ${stem}_sql[] =\n")
  file(READ ${file} body)
  string(REPLACE "\\" "\\\\" body "${body}")
  string(REPLACE "\"" "\\\"" body "${body}")
  string(REPLACE "\n" "\\n\"\n\t\"" body "${body}")
  string(APPEND text "\t\"${body}\";\n")
endforeach()
file(WRITE ${OUT} "${text}")
