/** Names that the registry accepts for items. */
const NAME = /^[A-Za-z0-9_-]{1,200}$/;
const NOT_IN_NAMES = /[^A-Za-z0-9_-]+/g;
/**
 * Versions that the API contract accepts (rule `package.version`). `latest` can't be the name of a
 * version.
 */
const VERSION = /^[0-9A-Za-z][0-9A-Za-z._+-]{0,99}$/;

/** Returns true if a text is a valid name of a registry item. */
export function isItemName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Removes characters that are invalid in a registry name. Returns an empty text if no characters
 * remain.
 */
export function toItemName(text: string): string {
  return text
    .replace(NOT_IN_NAMES, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 200);
}

/** Returns true if a text is a valid version for a model, a training script, or another package. */
export function isPackageVersion(text: string): boolean {
  return VERSION.test(text) && text !== 'latest';
}
