package io.millrace.app.doctor;

/** A check, which examines one subject and adds findings. */
interface Check {
    void look(Examination examination);
}
