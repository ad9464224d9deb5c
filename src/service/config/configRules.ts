import type { JsonObject } from '@bufbuild/protobuf';
import { type ConfigRejection, findRejections } from '../../core/validation/configStructure';
import { invalid } from '../errors';
import { checkJsonInSteps } from './jsonLimits';
import { MAX_NESTING } from '../../core/fragments/resolveConfig';
import { listNestedFragments, measureNesting, writeNestedFragments } from '../store/fragmentUses';
import type { StoreAccess } from '../store/store';

/**
 * Rejects, in small steps, a config that no machine could load. Ignores unknown fields and
 * sections, because modules can define their own.
 * @throws InvalidArgument with the path of the first problem.
 */
export function* checkConfig(config: JsonObject, field: string): Generator<undefined, void, void> {
  yield* checkJsonInSteps(config, field);
  const [first] = findRejections(config);
  if (first) throw invalid(`${field}${formatPath(first)}: ${formatReason(first)}`);
}

function formatPath({ path: [section, index, key] }: ConfigRejection): string {
  const entry = index === undefined ? '' : `[${String(index)}]`;
  return `.${section}${entry}${key === undefined ? '' : `.${key}`}`;
}

function formatReason({ kind, name }: ConfigRejection): string {
  switch (kind) {
    case 'notAList':
      return 'must be a list';
    case 'notAnObject':
      return 'must be an object';
    case 'notAFragment':
      return 'must be a fragment ID or an object with an id';
    case 'nameNotAString':
      return 'must be a string';
    case 'duplicateName':
      return `"${name}" is used twice`;
  }
}

const MEBIBYTE = 1024 * 1024;

/**
 * Maximum number of bytes in a response for an organization's own configs and for other
 * organizations' configs.
 */
export interface BudgetLimits {
  own: number;
  others: number;
}

/**
 * JSON text is sent as Structs, which can be several times as large. Messages are limited to 64
 * MiB.
 */
const CONFIG_LIMITS: BudgetLimits = { own: 16 * MEBIBYTE, others: 4 * MEBIBYTE };

/**
 * Determines which configs still fit into one response, so that a list request never fails because
 * of the response size. Configs from other organizations have a separate limit and can't displace
 * an organization's own configs.
 */
export class ConfigBudget {
  private readonly left: BudgetLimits;
  private hasExceeded = false;

  constructor(limits = CONFIG_LIMITS) {
    this.left = { ...limits };
  }

  /** True if any item didn't fit. */
  get isExceeded(): boolean {
    return this.hasExceeded;
  }

  /**
   * Reserves space for an item if it fits.
   * @param bytes size of the config or of another listed item.
   */
  tryConsume(whose: keyof BudgetLimits, bytes: number): boolean {
    if (bytes > this.left[whose]) {
      this.hasExceeded = true;
      return false;
    }
    this.left[whose] -= bytes;
    return true;
  }
}

/**
 * Records which fragments a fragment's new config uses. Must run in the transaction that writes the
 * config, so that a rejection rolls back the write. The config can refer to nonexistent fragments,
 * because it might have been imported from another service.
 * @param childIds distinct IDs of the fragments in the new config.
 * @throws InvalidArgument if the fragment would contain itself, or if fragments would be nested too
 *   deeply, either in this fragment or in one that uses it.
 */
export async function nestFragments(
  access: StoreAccess,
  fragmentId: string,
  childIds: readonly string[],
): Promise<void> {
  const present = new Set(await listNestedFragments(access, fragmentId));
  if (childIds.length === present.size && childIds.every((id) => present.has(id))) return;
  await writeNestedFragments(access, fragmentId, childIds);
  const { levels, circular } = await measureNesting(access, fragmentId, MAX_NESTING);
  if (circular) throw invalid('config.fragments: the fragment would contain itself');
  if (levels > MAX_NESTING) {
    throw invalid(
      `config.fragments: fragments would be nested more than ${String(MAX_NESTING)} levels deep, including those that use this one`,
    );
  }
}
