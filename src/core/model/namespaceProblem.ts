/** Reason why a text isn't a valid public namespace, as far as the client can check. */
export type NamespaceProblem = 'empty' | 'characters';

const NAMESPACE = /^[a-z0-9-]+$/;

/**
 * Checks that a namespace contains only lowercase letters, digits, and dashes (spec part 3,
 * Resources and their fields).
 */
export function namespaceProblem(text: string): NamespaceProblem | undefined {
  if (text === '') return 'empty';
  return NAMESPACE.test(text) ? undefined : 'characters';
}
