# Extracts the only block of a page in a language: -v language=c
$0 == "```" language { inside = 1; next }
/^```$/ { inside = 0 }
inside
