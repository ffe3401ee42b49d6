package io.millrace.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SettingsTest {
    private static final Setting<Duration> LATENCY = Setting.withDefault(
                    "latency", SettingTypes.duration(Duration.ZERO, Duration.ofMillis(100)), "20ms", "How long.")
            .named("receiveLatency");

    private static final Setting<Integer> BUFFER =
            Setting.optional("buffer", SettingTypes.size(4096, 1 << 30), "any", "How large.");

    private static final Setting<String> PASSWORD = Setting.required("password", SettingTypes.TOKEN, "Which.");

    @Test
    void settingThatWasNotGivenHasItsDefault() {
        assertThat(Settings.DEFAULTS.get(LATENCY)).isEqualTo(Duration.ofMillis(20));
        assertThat(Settings.DEFAULTS.find(BUFFER)).isNull();
        assertThat(Settings.DEFAULTS.isSet(LATENCY)).isFalse();
        assertThatThrownBy(() -> Settings.DEFAULTS.get(BUFFER)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void copyHasTheNewValue() {
        Settings settings = Settings.DEFAULTS.with(LATENCY, Duration.ZERO).with(BUFFER, 4096);
        assertThat(settings.get(LATENCY)).isZero();
        assertThat(settings.get(BUFFER)).isEqualTo(4096);
        assertThat(settings.isSet(LATENCY)).isTrue();
        assertThat(Settings.DEFAULTS.isSet(LATENCY)).isFalse();
    }

    @Test
    void textAndValueHaveTheSameRange() {
        assertThatThrownBy(() -> LATENCY.type().parse("200ms"))
                .hasMessage("accepts a time from 0ms to 100ms, not '200ms'");
        SettingException e = catchThrowableOfType(
                SettingException.class, () -> Settings.DEFAULTS.with(LATENCY, Duration.ofMillis(200)));
        assertThat(e).hasMessage("receiveLatency accepts a time from 0ms to 100ms, not 200ms");
        assertThat(e.detail()).isEqualTo("accepts a time from 0ms to 100ms, not 200ms");
        assertThat(e.setting()).isSameAs(LATENCY);
        assertThatThrownBy(() -> BUFFER.type().parse("2G")).hasMessageEndingWith("from 4 KiB to 1 GiB, not '2G'");
        assertThatThrownBy(() -> BUFFER.check(1)).hasMessageEndingWith("from 4 KiB to 1 GiB, not 1 byte");
    }

    @Test
    void secretIsNotQuoted() {
        assertThatThrownBy(() -> PASSWORD.type().parse("a b")).hasMessageNotContaining("a b");
        assertThatThrownBy(() -> PASSWORD.check("a b")).hasMessageNotContaining("a b");
    }
}
