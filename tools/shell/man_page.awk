# The page of the manual, section 1, of a program, from its --help.
#   PROGRAM --help | awk -v name=PROGRAM -v version=VERSION -f man_page.awk
function safe(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}
function heading(text) {
  printf ".SH %s\n", toupper(text)
  verbatim = 0
}
function begin_verbatim() {
  if (!verbatim) print ".nf"
  verbatim = 1
}
BEGIN { printf ".TH %s 1 \"\" \"perigee %s\" \"perigee\"\n", toupper(name), version }
tolower($1) == "usage:" {
  sub(/^[a-z-]+: /, "", summary)
  what = summary
  sub(/[.:;]( .*)?$/, "", what)
  printf ".SH NAME\n%s \\- %s\n", safe(name), safe(what)
  $1 = ""
  sub(/^ /, "")
  heading("synopsis")
  print safe($0)
  if (summary != what ".") printf ".SH DESCRIPTION\n%s\n", safe(summary)
  used = 1
  next
}
!used {
  summary = summary (NR > 1 && NF ? " " : "") $0
  next
}
/^[A-Za-z][a-z ]*:$/ {
  if (verbatim) print ".fi"
  sub(/:$/, "")
  list = $0 == "Options" || $0 == "Subcommands" || $0 == "Positionals"
  heading($0)
  next
}
list && /^  [^ ]/ {
  text = $0
  sub(/^  /, "", text)
  term = text
  at = match(text, /  +/)
  if (!at && text ~ /^-[^ ]+ [a-z]/) at = match(text, / /)
  if (at) term = substr(text, 1, at - 1)
  printf ".TP\n.B %s\n", safe(term)
  if (at) print safe(substr(text, at + RLENGTH))
  next
}
list && /^ +[^ ]/ {
  sub(/^ +/, "")
  print safe($0)
  next
}
list && NF {
  list = 0
  heading("notes")
}
NF || verbatim {
  begin_verbatim()
  print safe($0)
}
