import { isRecord } from '../../../../base/isRecord';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { fillParameters } from '../../../../core/query/language/parameters';
import {
  type Guarded,
  isBoolean,
  isNumber,
  isShape,
  isString,
  parsedAs,
} from '../../../../shared/guards';
import { isQueryLanguage } from '../../../../shared/query/editor';
import { type FileRange, isFileRange, type RunOrigin } from '../../../../shared/query/results';
import { describedOrganization, describeOrganization } from '../../../platform/targetOrganization';
import type { RequestedQuery } from '../querySession';

/** Data about a query run in a file that survives a window reload. */
export interface FileRun {
  readonly uri: string;
  readonly target: OrganizationTarget;
  readonly query: RequestedQuery & { readonly file: FileRange };
  /** Time of the run, in milliseconds since 1970. */
  readonly at: number;
}

const isParameters = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every((text) => isString(text));

const isStoredRun = isShape({
  uri: isString,
  organization: isString,
  query: isShape<FileRun['query']>({
    language: isQueryLanguage,
    text: isString,
    recent: isBoolean,
    parameters: isParameters,
    file: isFileRange,
  }),
  at: isNumber,
});
type StoredRun = Guarded<typeof isStoredRun>;

/** Serializes a run for its webview state. */
export function describeFileRun({ uri, target, query, at }: FileRun): string {
  const organization = describeOrganization(target);
  const stored: StoredRun = { uri, organization, query, at };
  return JSON.stringify(stored);
}

/** Parses a serialized run; undefined if invalid, for example from another version. */
export function parseFileRun(description: string): FileRun | undefined {
  const stored = parsedAs(description, isStoredRun);
  const target = stored && describedOrganization(stored.organization);
  if (!target) return undefined;
  return { uri: stored.uri, target, query: stored.query, at: stored.at };
}

/** Describes a run whose rows were lost, for the header above its result. */
export function describeLostRun({ target, query, at }: FileRun): RunOrigin {
  const { language, text, parameters, file } = query;
  const { text: statement } = fillParameters(language, text, parameters);
  return { language, statement, at, organization: target.name, file };
}
