# The program on a page: its one block of C.
/^```c$/ { inside = 1; next }
/^```$/ { inside = 0 }
inside
