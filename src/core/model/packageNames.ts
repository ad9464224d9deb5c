/** As the registry takes names of items. */
const NAME = /^[A-Za-z0-9_-]{1,200}$/;
const NOT_IN_NAMES = /[^A-Za-z0-9_-]+/g;
/** As the contract has it (rule `package.version`), where no name is `latest`. */
const VERSION = /^[0-9A-Za-z][0-9A-Za-z._+-]{0,99}$/;

/** Whether an item of the registry can have this name. */
export function isItemName(text: string): boolean {
  return NAME.test(text);
}

/** A text as far as a name of the registry can have it; empty when nothing of it can stay. */
export function itemNameOf(text: string): string {
  return text
    .replace(NOT_IN_NAMES, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 200);
}

/** Whether a model, a training script or another package can have this version. */
export function isPackageVersion(text: string): boolean {
  return VERSION.test(text) && text !== 'latest';
}
