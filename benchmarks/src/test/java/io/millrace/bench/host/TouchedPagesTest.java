package io.millrace.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TouchedPagesTest {
    @Test
    void pagesCountByKindOfMapping() {
        TouchedPages pages = TouchedPages.of(List.of(
                "e0000000-e1550000 rw-p 00000000 00:00 0 ",
                "Size:              21824 kB",
                "Referenced:          640 kB",
                "7f3079400000-7f30797d0000 rwxp 00000000 00:00 0 ",
                "Referenced:          320 kB",
                "7f3090000000-7f3090e38000 r-xp 00001000 08:01 4711                      /usr/lib/libjvm.so",
                "Referenced:          1536 kB",
                "7ffd1c9e6000-7ffd1ca07000 rw-p 00000000 00:00 0                          [stack]",
                "Referenced:            8 kB"));

        assertThat(pages).isEqualTo(new TouchedPages(1536, 320, 648));
        assertThat(pages.sum()).isEqualTo(2504);
    }

    @Test
    void whatThisProcessTouchesIsSeen() throws Exception {
        byte[] touched = new byte[16 << 20];
        Thread toucher = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                for (int i = 0; i < touched.length; i += 4096) {
                    touched[i]++;
                }
            }
        });
        toucher.start();
        try {
            assertThat(TouchedPages.within(ProcessHandle.current().pid(), 300).sum())
                    .isGreaterThan(16 << 10);
        } finally {
            toucher.interrupt();
            toucher.join();
        }
    }
}
