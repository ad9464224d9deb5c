import { findingWords } from '../core/modules/manifest/findingWords';
import type { ManifestFinding } from '../core/modules/manifest/manifestFinding';
import { plainWords } from '../core/modules/words';

/** Where a command writes: results, and what goes along with them. */
export interface Output {
  /** To stdout. */
  readonly result: (text: string) => void;
  /** To stderr: a sentence for whoever reads the log of a run. */
  readonly say: (sentence: string) => void;
}

/** What could steer a terminal. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** A text on one line, whatever manifests, builds and services have put into it. */
export function oneLine(text: string): string {
  return text.replace(CONTROL, ' ');
}

/** A finding as one object of JSON. */
export interface ReportedFinding {
  readonly severity: ManifestFinding['severity'];
  readonly code: string;
  /** Where in the manifest, such as `models.0.api`; empty for all of it. */
  readonly field: string;
  readonly message: string;
}

export function reportedFinding(finding: ManifestFinding): ReportedFinding {
  const { severity, code, path } = finding;
  return { severity, code, field: path.join('.'), message: findingWords(finding, plainWords) };
}

/** A finding on a line of its own. */
export function findingLine({ severity, field, message }: ReportedFinding): string {
  return field === '' ? `${severity}: ${message}` : `${severity}: ${field}: ${message}`;
}

/** Prints one object of JSON. */
export function printJson({ result }: Output, value: object): void {
  result(JSON.stringify(value));
}
