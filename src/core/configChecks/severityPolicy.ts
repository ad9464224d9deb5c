import type { ResolveProblemKind } from '../fragments/fragmentImport';
import type { ConfigDiagnosticCode, ConfigSeverity } from './configDiagnostic';

/** Severity of a kind of problem. */
interface SeverityRule {
  readonly severity: ConfigSeverity;
  /** Severity if the value can be correct, for example because a module defines it. */
  readonly ifUncertain?: ConfigSeverity;
}

/**
 * Policy for the severities of config problems:
 * - `error`: the service doesn't save the config, or a machine doesn't load any of it;
 * - `warning`: a machine loads the config without the resource or the value;
 * - `hint`: a machine loads all of the config, but it probably doesn't do what it should;
 * - `suggestion`: a possible improvement.
 *
 * None of these severities prevents a save: only the service does, and it rejects exactly what
 * `findRejections` and the limits next to it describe. `docs/ci.md` has the same table for users.
 */
export const severityPolicy: Readonly<Record<ConfigDiagnosticCode, SeverityRule>> = {
  // The service rejects the config.
  rejectedStructure: { severity: 'error' },
  rejectedName: { severity: 'error' },
  tooDeep: { severity: 'error' },
  tooLarge: { severity: 'error' },
  // Machines keep the previous config, because these sections are required to serve any request.
  invalidNetwork: { severity: 'error' },
  invalidAuth: { severity: 'error' },
  // Machines log an error, and load everything else.
  missingKey: { severity: 'warning' },
  wrongType: { severity: 'warning' },
  invalidName: { severity: 'warning' },
  duplicateName: { severity: 'warning' },
  invalidApi: { severity: 'warning' },
  unknownApi: { severity: 'warning', ifUncertain: 'hint' },
  invalidModel: { severity: 'warning' },
  modelWithoutModule: { severity: 'warning' },
  unknownValue: { severity: 'warning', ifUncertain: 'hint' },
  invalidId: { severity: 'warning' },
  invalidSchedule: { severity: 'warning' },
  invalidDuration: { severity: 'warning' },
  invalidNumber: { severity: 'warning' },
  invalidAddress: { severity: 'warning' },
  unknownResource: { severity: 'warning', ifUncertain: 'hint' },
  dependencyCycle: { severity: 'warning' },
  frameCycle: { severity: 'warning' },
  unknownModule: { severity: 'warning' },
  unknownVersion: { severity: 'warning' },
  // Machines load the entry.
  misspelledKey: { severity: 'hint' },
  sharedName: { severity: 'hint' },
  invalidVersion: { severity: 'hint' },
  deprecatedVersion: { severity: 'hint' },
  newerVersion: { severity: 'suggestion' },
};

/** Returns a problem's code with its severity. */
export function classify(
  code: ConfigDiagnosticCode,
  isUncertain = false,
): { readonly code: ConfigDiagnosticCode; readonly severity: ConfigSeverity } {
  const { severity, ifUncertain } = severityPolicy[code];
  return { code, severity: isUncertain ? (ifUncertain ?? severity) : severity };
}

/** Problems with fragments for which the service rejects the config that contains them. */
const REJECTED_FRAGMENTS: ReadonlySet<ResolveProblemKind> = new Set([
  'notAnObject',
  'malformedImport',
]);
/** Like `REJECTED_FRAGMENTS`, for the configs of fragments only. */
const REJECTED_NESTING: ReadonlySet<ResolveProblemKind> = new Set(['cycle', 'tooDeep']);

/**
 * Returns the severity of a problem with the fragments in a config. The machine skips the fragment
 * or the override.
 */
export function getResolveSeverity(
  kind: ResolveProblemKind,
  { isFragment }: { readonly isFragment: boolean },
): ConfigSeverity {
  const isRejected = REJECTED_FRAGMENTS.has(kind) || (isFragment && REJECTED_NESTING.has(kind));
  return isRejected ? 'error' : 'warning';
}
