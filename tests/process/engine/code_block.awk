# Extracts the only C block of a page.
/^```c$/ { inside = 1; next }
/^```$/ { inside = 0 }
inside
