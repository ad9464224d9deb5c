const MODULE_ID = /^[^:\s]+:[A-Za-z0-9_-]+$/;

/**
 * Returns true for a valid module ID: an owner, a colon, and a name (according to the rules of
 * CreateModule).
 */
export function isModuleId(text: string): boolean {
  return MODULE_ID.test(text);
}
