import type { JsonValue } from '@bufbuild/protobuf';
import * as vscode from 'vscode';

/** Longer texts, such as the bytes of images, are cut. */
const MAX_TEXT_LENGTH = 1_000;

/** Formats an answer as JSON for people to read. */
export function formatAnswer(answer: JsonValue): string {
  const cut = (_: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > MAX_TEXT_LENGTH
      ? vscode.l10n.t('{0}… ({1} characters)', value.slice(0, MAX_TEXT_LENGTH), value.length)
      : value;
  return JSON.stringify(answer, cut, 2);
}
