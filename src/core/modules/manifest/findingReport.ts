import type { Words } from '../words';
import { findingWords } from './findingWords';
import type { ManifestFinding } from './manifestFinding';

/** A finding as one object of JSON. */
export interface ReportedFinding {
  readonly severity: ManifestFinding['severity'];
  readonly code: string;
  /** Where in the manifest, such as `models.0.api`; empty for all of it. */
  readonly field: string;
  readonly message: string;
}

export function reportedFinding(finding: ManifestFinding, words: Words): ReportedFinding {
  const { severity, code, path } = finding;
  return { severity, code, field: path.join('.'), message: findingWords(finding, words) };
}

/** A finding on a line of its own. */
export function findingLine({ severity, field, message }: ReportedFinding): string {
  return field === '' ? `${severity}: ${message}` : `${severity}: ${field}: ${message}`;
}
