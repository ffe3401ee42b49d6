package io.millrace.internal.parse.time;

import java.util.Arrays;

/**
 * Abbreviations of time zones. Those of {@link #CERTAIN} are no names of hosts; the others could be. The offsets are those of the
 * tz database; an abbreviation with several meanings has none.
 */
final class ZoneNames {
    static final int MIN_LENGTH = 3;
    static final int MAX_LENGTH = 5;
    /** The offset of an abbreviation with several meanings. */
    static final int AMBIGUOUS = Integer.MAX_VALUE;

    private static final String CERTAIN =
            "UTC 0 GMT 0 WET 0 CET 60 CEST 120 EET 120 EEST 180 MSK 180 BST ? IST ? JST 540"
                    + " AEST 600 AEDT 660 EDT -240 EST -300 CDT -300 CST -360 MDT -360 MST -420 PDT -420 PST -480";
    private static final String OTHERS =
            "ACDT 630 ACST 570 ACWST 525 ADT ? AFT 270 AKDT -480 AKST -540 ALMT 300 AMT ? ART -180 AST ? "
                    + "AWDT 540 AWST 480 AZOST 0 AZOT -60 AZT 240 BDT ? BNT 480 BOT -240 BRST -120 BRT -180 BTT 360 "
                    + "CAT 120 CEDT 120 CHADT 825 CHAST 765 CHST 600 CKT -600 CLST -180 CLT -240 COT -300 CVT -60 EAT "
                    + "180 ECT ? EGST 0 EGT -60 FJT 720 FKST -180 FKT -240 GALT -360 GAMT -540 GET 240 GFT -180 GST ? "
                    + "GYT -240 HADT -540 HAST -600 HDT -540 HKT 480 HOVT 420 HST -600 ICT 420 IDT 180 IRDT 270 IRKT "
                    + "480 IRST 210 KGT 360 KOST 660 KRAT 420 KST 540 LHDT 660 LHST 630 LKT 330 MAGT 660 MEST 120 MESZ "
                    + "120 MEZ 60 MHT 720 MMT 390 MSD 240 MUT 240 MVT 300 MYT 480 NCT 660 NDT -150 NFT ? NOVT 420 NPT "
                    + "345 NRT 720 NST -210 NZDT 780 NZST 720 OMST 360 PET -300 PETT 720 PGT 600 PHT 480 PKT 300 PMDT "
                    + "-120 PMST -180 PYST -180 PYT ? RET 240 SAKT 660 SAMT 240 SAST 120 SBT 660 SCT 240 SGT 480 SRT "
                    + "-180 SST ? TJT 300 TKT 780 TLT 540 TMT 300 TRT 180 TVT 720 ULAT 480 UYST -120 UYT -180 UZT 300 "
                    + "VET -240 VLAT 600 VUT 660 WAST 120 WAT 60 WEST 60 WFT 720 WGST ? WGT ? WIB 420 WIT 540 WITA 480 "
                    + "WST ? YAKT 540 YEKT 300";

    private static final long[] NAMES;
    private static final int[] OFFSETS_S;
    private static final boolean[] IS_CERTAIN;

    static {
        String[] certain = CERTAIN.split(" ", -1);
        String[] others = OTHERS.split(" ", -1);
        int count = (certain.length + others.length) / 2;
        NAMES = new long[count];
        OFFSETS_S = new int[count];
        IS_CERTAIN = new boolean[count];
        for (int i = 0; i < count; i++) {
            NAMES[i] = packed(entry(certain, others, 2 * i));
        }
        Arrays.sort(NAMES);
        for (int i = 0; i < count; i++) {
            int index = Arrays.binarySearch(NAMES, packed(entry(certain, others, 2 * i)));
            String offset = entry(certain, others, 2 * i + 1);
            OFFSETS_S[index] = offset.equals("?") ? AMBIGUOUS : 60 * Integer.parseInt(offset);
            IS_CERTAIN[index] = 2 * i < certain.length;
        }
    }

    private ZoneNames() {}

    private static String entry(String[] certain, String[] others, int index) {
        return index < certain.length ? certain[index] : others[index - certain.length];
    }

    private static long packed(String name) {
        long packed = 0;
        for (int i = 0; i < name.length(); i++) {
            packed = packed << 8 | name.charAt(i);
        }
        return packed;
    }

    /** The index of an abbreviation, given as its letters in one number; negative if it is unknown. */
    static int find(long packed) {
        return Arrays.binarySearch(NAMES, packed);
    }

    /** The offset from UTC in seconds, or {@link #AMBIGUOUS}. */
    static int offsetS(int index) {
        return OFFSETS_S[index];
    }

    /** True if a word of these letters after a time is never a host. */
    static boolean isCertain(int index) {
        return IS_CERTAIN[index];
    }
}
