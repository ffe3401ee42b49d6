package io.millrace.app.config;

import io.millrace.message.Edit;
import io.millrace.message.Filter;
import io.millrace.message.FilterScope;
import io.millrace.message.Severity;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.StartAt;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The types of settings that only the configuration has. Each error message has the valid values. */
public final class ConfigTypes {
    public static final SettingType<ListenAddress> ADDRESS =
            SettingTypes.parsed("HOST:PORT", "HOST:PORT, for example 0.0.0.0:5514 or [::]:5514", ListenAddress::parse);

    public static final SettingType<InputListen> LISTEN =
            SettingTypes.parsed("ADDRESS", InputListen.TAKES, InputListen::parse, InputListen::meant);

    /** An address to listen on, or empty for off. */
    public static final SettingType<Optional<ListenAddress>> ADDRESS_OR_OFF = SettingTypes.parsed(
            "HOST:PORT|off", "HOST:PORT, for example 127.0.0.1:9514, or off", ConfigTypes::addressOrOff);

    public static final SettingType<List<Edit>> EDITS = new EditsType();

    /** A filter, which may name files. */
    public static final SettingType<Filter> FILTER = SettingTypes.parsed(
            "EXPR", "a condition such as severity <= err", text -> Filter.compile(text, FilterScope.FILES));

    /** A filter that may refer to others of the configuration. */
    public static final SettingType<Expression> EXPRESSION =
            SettingTypes.parsed("EXPR", FILTER.takes(), Expression::new);

    /** The start of a new output in the journal. */
    public static final SettingType<StartAt> START = SettingTypes.parsed(
            "WHERE",
            "begin, end, or a time such as 2026-11-21T08:30:00Z",
            ConfigTypes::start,
            SettingTypes::durationMeant);

    /** A point in time that is the same at each start. */
    public static final SettingType<Instant> FIXED_TIME =
            SettingTypes.parsed("TIME", "a time with its date, such as 2026-11-21T08:30:00Z", PointInTime::parseFixed);

    private ConfigTypes() {}

    /** A severity, also by a keyword that is deprecated, such as {@code error}. */
    public static final SettingType<Severity> SEVERITY = SettingTypes.parsed(
            "SEVERITY",
            SettingTypes.either(
                    Arrays.stream(Severity.values()).map(Severity::keyword).toList()),
            text -> Severity.of(text.toLowerCase(Locale.ROOT)));

    private static @Nullable StartAt start(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "begin" -> StartAt.BEGIN;
            case "end" -> StartAt.END;
            default -> {
                Instant time = PointInTime.parse(text);
                yield time == null ? null : StartAt.time(time);
            }
        };
    }

    private static Optional<ListenAddress> addressOrOff(String text) {
        if (text.equals("off") || text.equals("false")) {
            return Optional.empty();
        }
        ListenAddress address = ListenAddress.parse(text);
        if (address == null) {
            throw ADDRESS_OR_OFF.notTaken(
                    "'" + text + "'" + (text.matches("\\d{1,5}") ? "; did you mean 127.0.0.1:" + text + "?" : ""));
        }
        return Optional.of(address);
    }
}
