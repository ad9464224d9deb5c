import type texts from '../../package.nls.json';
import { always, connected } from './conditions';
import { all, type When } from './whenClauses';

/** Key of a category in package.nls.json, without the prefix `category.`. */
export type Category = keyof typeof texts extends infer Key
  ? Key extends `category.${infer Name}`
    ? Name
    : never
  : never;

/** A command's presentation in package.json. Its title is in package.nls.json, under its ID. */
interface Presentation {
  /** Category, if it differs from the one in `categories`. */
  readonly category?: Category;
  /** Key in package.nls.json for the short title for toolbars with little space. */
  readonly shortTitle?: keyof typeof texts;
  /** Name of a product icon. */
  readonly icon?: string;
  /** Condition under which the command can run. */
  readonly enablement?: When;
  readonly keybinding?: Keybinding;
}

interface Keybinding {
  readonly key: string;
  readonly mac?: string;
  readonly when: When;
}

/** Command with the types of its arguments. */
export interface CommandSpec<Arguments extends readonly unknown[]> extends Presentation {
  /**
   * Condition under which the Command Palette offers the command; undefined if the Command Palette
   * never offers it. Commands that require an argument are never offered there.
   */
  readonly palette?: When | undefined;
  /** Exists only for type inference and has no value. */
  readonly arguments?: Arguments;
}

/**
 * Defines a command in the Command Palette, which passes no arguments. Therefore, all arguments are
 * optional; if the target is missing, the command prompts for it. By default, the command requires
 * a connection. `palette` is a condition in addition to `enablement`.
 */
export const offered = <Arguments extends readonly unknown[] = []>({
  palette = always,
  ...presentation
}: Presentation & { readonly palette?: When } = {}): CommandSpec<Partial<Arguments>> => {
  const { enablement = connected } = presentation;
  return { ...presentation, enablement, palette: all(enablement, palette) };
};

/**
 * Defines a command that menus contain. If the command also has a keybinding, it prompts for a
 * missing target. By default, the command requires a connection.
 */
export const fromMenus = <Arguments extends readonly unknown[] = []>(
  presentation: Presentation = {},
): CommandSpec<Arguments> => ({ enablement: connected, ...presentation });

/** Defines a command that only menus, buttons, and other commands can call. */
export const internal = <Arguments extends readonly unknown[]>(
  presentation: Presentation = {},
): CommandSpec<Arguments> => presentation;
