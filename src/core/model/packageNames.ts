/** Names that the registry accepts for items. */
const NAME = /^[A-Za-z0-9_-]{1,200}$/;
const NOT_IN_NAMES = /[^A-Za-z0-9_-]+/g;
/** Versions that the contract accepts (rule `package.version`); `latest` isn't valid as a name. */
const VERSION = /^[0-9A-Za-z][0-9A-Za-z._+-]{0,99}$/;

/** Returns true if a text is a valid name of a registry item. */
export function isItemName(text: string): boolean {
  return NAME.test(text);
}

/** Removes characters that are invalid in a registry name; empty if none remain. */
export function toItemName(text: string): string {
  return text
    .replace(NOT_IN_NAMES, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 200);
}

/** Returns true if a text is a valid version of a model, a training script, or another package. */
export function isPackageVersion(text: string): boolean {
  return VERSION.test(text) && text !== 'latest';
}
