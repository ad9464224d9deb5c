/** Why a text cannot be a public namespace, as far as that is known without the service. */
export type NamespaceProblem = 'empty' | 'characters';

const NAMESPACE = /^[a-z0-9-]+$/;

/** Lowercase letters, digits and dashes (spec part 3, Resources and their fields). */
export function namespaceProblem(text: string): NamespaceProblem | undefined {
  if (text === '') return 'empty';
  return NAMESPACE.test(text) ? undefined : 'characters';
}
