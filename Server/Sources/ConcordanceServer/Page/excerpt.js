// Parts of long lines. A minified file may have a line of megabytes with thousands of matches, which no browser can show.
import { h, marked } from "./dom.js";

const longText = 1000;
const windowBytes = 300;
const bytesBefore = 60;
const maximumMarks = 100;

/// Returns the text of a line and its ranges, in bytes of UTF-8; of a long text only the part around the first ranges.
///
/// isCutBefore, isCutAfter: whether text is left out there.
export function excerpt(text, ranges) {
  const marks = ranges.slice(0, maximumMarks);
  if (text.length <= longText) return { text, ranges: marks };
  const bytes = new TextEncoder().encode(text);
  // The part begins and ends with complete characters.
  const boundary = (offset) => {
    while (offset > 0 && offset < bytes.length && (bytes[offset] & 0xc0) === 0x80) offset -= 1;
    return offset;
  };
  const start = boundary(Math.max(0, (ranges[0]?.start ?? 0) - bytesBefore));
  const end = boundary(Math.min(bytes.length, start + windowBytes));
  return {
    text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)),
    ranges: marks.filter((one) => one.start < end).map((one) => ({ start: one.start - start, end: Math.min(one.end, end) - start })),
    isCutBefore: start > 0,
    isCutAfter: end < bytes.length,
  };
}

/// Returns nodes for an excerpt.
export const excerptNodes = ({ text, ranges, isCutBefore, isCutAfter }) =>
  [isCutBefore ? h("span", { class: "cut" }, "…") : null, ...marked(text, ranges), isCutAfter ? h("span", { class: "cut" }, "…") : null].filter(Boolean);
