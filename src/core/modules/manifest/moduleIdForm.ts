const MODULE_ID = /^[^:\s]+:[A-Za-z0-9_-]+$/;

/** Whether a text is a module id: whose it is, a colon, and a name (rules of CreateModule). */
export function isModuleId(text: string): boolean {
  return MODULE_ID.test(text);
}
