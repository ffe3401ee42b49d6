package io.millrace.bench.powercut;

import java.nio.file.Path;

/**
 * A power cut: a copy of the disk, and what the outside knew at that moment. The service did not run while the copy was made.
 *
 * @param number its number in the test, from 1
 * @param run the number of the run of the service, from 1
 * @param image the copy
 * @param atMicros when it was, in µs since the load began
 * @param copyMicros how long the copy took
 * @param answered the number of RELP messages with an answer, which are the first ones
 * @param deliveredBytes the length of the output's file
 */
record Cut(int number, int run, Path image, long atMicros, long copyMicros, int answered, long deliveredBytes) {}
