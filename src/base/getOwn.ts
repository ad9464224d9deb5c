/**
 * Returns the value of an object's own property; undefined for inherited ones, such as
 * `constructor`. For names that come from users or the network.
 */
export function getOwn<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
