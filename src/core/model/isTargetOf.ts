import type { ResourceTarget, TrainingJobTarget } from './resourceTarget';

type CommandTarget = ResourceTarget | TrainingJobTarget;

/**
 * Returns true if the argument that a menu or another command passes is the target of a resource of
 * this kind.
 */
export function isTargetOf<Kind extends CommandTarget['kind']>(
  kind: Kind,
  given: object | undefined,
): given is Extract<CommandTarget, { readonly kind: Kind }> {
  return given !== undefined && 'kind' in given && given.kind === kind;
}
