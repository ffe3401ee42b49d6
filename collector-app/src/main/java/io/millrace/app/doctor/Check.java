package io.millrace.app.doctor;

/** Looks at one thing, and adds what it finds. */
interface Check {
    void look(Examination examination);
}
