import { type Guard, isBoolean, isNumber, isOptional, isShape } from './guards';

/** Colors and attributes of text, as terminals show them. Colors are indexes of the palette of 16. */
export interface AnsiStyle {
  readonly color?: number | undefined;
  readonly background?: number | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly underline?: boolean | undefined;
}

/** A styled range of a text, in UTF-16 code units. */
export interface AnsiSpan extends AnsiStyle {
  readonly start: number;
  readonly end: number;
}

export const isAnsiSpan: Guard<AnsiSpan> = isShape<AnsiSpan>({
  ...{ start: isNumber, end: isNumber },
  ...{ color: isOptional(isNumber), background: isOptional(isNumber) },
  ...{ bold: isOptional(isBoolean), dim: isOptional(isBoolean) },
  ...{ italic: isOptional(isBoolean), underline: isOptional(isBoolean) },
});
