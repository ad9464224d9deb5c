/**
 * Colors and attributes of text, as terminals show them. Colors are indexes into the 16-color
 * palette.
 */
export interface AnsiStyle {
  readonly color?: number | undefined;
  readonly background?: number | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly underline?: boolean | undefined;
}

/** A styled range of the text, in UTF-16 code units. */
export interface AnsiSpan extends AnsiStyle {
  readonly start: number;
  readonly end: number;
}

/**
 * Text without escape sequences, and the styles that the sequences applied to ranges of the text.
 */
export interface AnsiText {
  readonly text: string;
  /** Styled ranges in order, without overlaps; ranges without a style are not listed. */
  readonly styles: readonly AnsiSpan[];
}

const ESC = '\u001b';
const BELL = '\u0007';
/**
 * C1 characters: the control sequence introducer, the string terminator, and the introducers of
 * control strings.
 */
const CSI = '\u009b';
const ST = '\u009c';
const STRINGS = '\u0090\u0098\u009d-\u009f';

/** The introducer of an escape sequence: ESC or a single C1 character. */
const INTRODUCER = new RegExp(`[${ESC}${CSI}${ST}${STRINGS}]`);

/**
 * An ECMA-48 escape sequence. Control sequences (CSI) come first so that their parameters and final
 * byte are capture groups. For a control string (OSC, DCS, SOS, PM, APC) without a terminator, only
 * the introducer matches, because the control string would otherwise consume the rest of the line.
 */
const SEQUENCE = new RegExp(
  [
    String.raw`(?:${ESC}\[|${CSI})([0-?]*)[ -/]*([@-~]?)`,
    String.raw`(?:${ESC}[\]PX^_]|[${STRINGS}])(?:[^${BELL}${ESC}${ST}]*(?:${BELL}|${ESC}\\|${ST}))?`,
    `${ESC}[ -/]*[0-~]?`,
    ST,
  ].join('|'),
  'g',
);

/** Parses the colors and attributes (SGR) in a string and removes all escape sequences from it. */
export function parseAnsi(source: string): AnsiText {
  if (!INTRODUCER.test(source)) return { text: source, styles: [] };
  const styles: AnsiSpan[] = [];
  let [text, style, end]: [string, AnsiStyle, number] = ['', {}, 0];
  const append = (chunk: string): void => {
    if (chunk !== '' && Object.keys(style).length > 0) {
      styles.push({ start: text.length, end: text.length + chunk.length, ...style });
    }
    text += chunk;
  };
  for (const { index, 0: sequence, 1: parameters, 2: final } of source.matchAll(SEQUENCE)) {
    append(source.slice(end, index));
    end = index + sequence.length;
    if (final === 'm') style = applySgr(style, parameters ?? '');
  }
  append(source.slice(end));
  return { text, styles };
}

/**
 * Removes the escape sequences from a string. The result is the text that is displayed, searched,
 * and copied.
 */
export function stripAnsi(source: string): string {
  return INTRODUCER.test(source) ? source.replaceAll(SEQUENCE, '') : source;
}

/** Removes the escape sequences from the strings in JSON text. */
export function stripAnsiFromJson(json: string): string {
  if (!/\\u00[189]/i.test(json)) return stripAnsi(json);
  const unescaped = json.replaceAll(/\\(?:u00(1b|9[08b-f])|u0007|.)/gi, (escape, code?: string) =>
    code === undefined
      ? escape.toLowerCase() === String.raw`\u0007`
        ? '\u0007'
        : escape
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
  // A string terminator is ESC and a backslash. In JSON, the backslash is doubled.
  return stripAnsi(unescaped.replaceAll('\u001b\\\\', '\u009c'));
}

function applySgr(before: AnsiStyle, parameters: string): AnsiStyle {
  // Parameters with a private marker (`<` to `?`) are not SGR.
  if (/[<-?]/.test(parameters)) return before;
  const codes = parameters.split(/[;:]/).map(Number);
  let style: AnsiStyle = before;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const color = codes[index + 2];
      const isIndexed = codes[index + 1] === 5;
      const name = code === 38 ? 'color' : 'background';
      style = withValue(style, name, isIndexed && (color ?? 0) < 16 ? (color ?? 0) : undefined);
      index += isIndexed ? 2 : codes[index + 1] === 2 ? 4 : 1;
    } else {
      style = applyCode(style, code);
    }
  }
  return style;
}

function applyCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 22) return withValue(withValue(style, 'bold', undefined), 'dim', undefined);
  if (code === 23) return withValue(style, 'italic', undefined);
  if (code === 24) return withValue(style, 'underline', undefined);
  if (code === 39) return withValue(style, 'color', undefined);
  if (code === 49) return withValue(style, 'background', undefined);
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  return style;
}

function withValue<K extends keyof AnsiStyle>(
  style: AnsiStyle,
  name: K,
  value: AnsiStyle[K],
): AnsiStyle {
  const { [name]: _, ...rest } = style;
  return value === undefined ? rest : { ...rest, [name]: value };
}
