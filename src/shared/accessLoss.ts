/**
 * Kinds of errors after which a page must remove its content, because the user can no longer view
 * it or it was deleted. After other errors, the content stays visible.
 */
export const accessLossKinds: ReadonlySet<string> = new Set([
  'unauthenticated',
  'permission',
  'notFound',
]);
