import type { Localizer } from '../../../base/localizer';
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

export function reportedFinding(finding: ManifestFinding, words: Localizer): ReportedFinding {
  const { severity, code, path } = finding;
  const field = path.join('.');
  const message = findingWords(finding, words);
  // Sentences that name their field also stand where no field is shown.
  const last = path.findLast((step) => typeof step === 'string') ?? '';
  const repeated = [`${field}: `, `${last}: `].find((named) => message.startsWith(named)) ?? '';
  return {
    severity,
    code,
    field,
    message: field === '' ? message : message.slice(repeated.length),
  };
}

/** A finding on a line of its own. */
export function findingLine({ severity, field, message }: ReportedFinding): string {
  return field === '' ? `${severity}: ${message}` : `${severity}: ${field}: ${message}`;
}
