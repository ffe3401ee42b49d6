// The JNI functions of Recvmmsg.java. They only convert arguments for receive.c.
#include "io_millrace_jni_Recvmmsg.h"
#include "receive.h"

static struct reader *reader_of(jlong handle) {
  return (struct reader *)(intptr_t)handle;
}

JNIEXPORT jint JNICALL Java_io_millrace_jni_Recvmmsg_version(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return io_millrace_jni_Recvmmsg_VERSION;
}

JNIEXPORT jint JNICALL Java_io_millrace_jni_Recvmmsg_probe(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return reader_probe();
}

JNIEXPORT jlong JNICALL Java_io_millrace_jni_Recvmmsg_open(JNIEnv *env, jclass type, jint fd, jint max_datagram,
                                                           jboolean gro, jboolean packet_timestamps) {
  (void)env;
  (void)type;
  struct reader *reader;
  int result = reader_open(fd, max_datagram, gro, packet_timestamps, &reader);
  return result != 0 ? result : (jlong)(intptr_t)reader;
}

JNIEXPORT jobject JNICALL Java_io_millrace_jni_Recvmmsg_outcome(JNIEnv *env, jclass type, jlong handle) {
  (void)type;
  return (*env)->NewDirectByteBuffer(env, (void *)reader_outcome(reader_of(handle)), sizeof(struct outcome));
}

JNIEXPORT jint JNICALL Java_io_millrace_jni_Recvmmsg_read(JNIEnv *env, jclass type, jlong handle, jobject memory,
                                                          jint capacity, jint length, jboolean empty, jlong base_ns,
                                                          jint input, jlong now_ns) {
  (void)type;
  struct batch batch = {.memory = (*env)->GetDirectBufferAddress(env, memory),
                        .capacity = capacity,
                        .length = length,
                        .empty = empty,
                        .base_ns = base_ns,
                        .now_ns = now_ns,
                        .input = (uint8_t)input};
  return reader_read(reader_of(handle), &batch);
}

JNIEXPORT void JNICALL Java_io_millrace_jni_Recvmmsg_close(JNIEnv *env, jclass type, jlong handle) {
  (void)env;
  (void)type;
  reader_close(reader_of(handle));
}
