import type { Localizer } from '../../../base/localizer';
import { formatFinding } from './formatFinding';
import type { ManifestFinding } from './manifestFinding';

/** Finding as a JSON object. */
export interface ReportedFinding {
  readonly severity: ManifestFinding['severity'];
  readonly code: string;
  /** Path in the manifest, such as `models.0.api`; empty for the whole manifest. */
  readonly field: string;
  readonly message: string;
}

export function reportedFinding(finding: ManifestFinding, l10n: Localizer): ReportedFinding {
  const { severity, code, path } = finding;
  const field = path.join('.');
  const message = formatFinding(finding, l10n);
  // Messages include the name of the field, because they can be displayed without their position.
  const last = path.findLast((step) => typeof step === 'string') ?? '';
  const repeated = [`${field}: `, `${last}: `].find((named) => message.startsWith(named)) ?? '';
  return {
    severity,
    code,
    field,
    message: field === '' ? message : message.slice(repeated.length),
  };
}

/** Formats a finding as one line of text. */
export function findingLine({ severity, field, message }: ReportedFinding): string {
  return field === '' ? `${severity}: ${message}` : `${severity}: ${field}: ${message}`;
}
