import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** A module that was loaded. */
interface Loaded {
  readonly exports: unknown;
  /**
   * Writes the code compiled so far to the cache, and deletes the other files in its folder. Absent if
   * the cache was used. Never fails: without a cache, the next start only takes longer.
   */
  readonly saveCodeCache?: () => Promise<void>;
}

interface Compiled {
  readonly module: Module;
  readonly script: Script;
  readonly run: ModuleFunction;
  /** Path of the cache file to write; absent if the cache was used. */
  readonly missing: string | undefined;
}

type ModuleFunction = (
  this: unknown,
  exports: unknown,
  require: NodeJS.Require,
  module: NodeJS.Module,
  filename: string,
  folder: string,
) => void;

/** Text before and after a CommonJS module, as Node adds it to the modules that it loads. */
const [prefix, suffix] = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'];

/**
 * Bytes before the cached data, which contain its checksum. A multiple of 8, because V8 copies a code
 * cache that isn't aligned.
 */
const HEADER_BYTES = 8;

const cacheExtension = '.bin';

/**
 * Loads a CommonJS module as `require` does, but with V8's code cache: the bytecode of the module's
 * functions, including those that were compiled after an earlier start. Any problem with the cache
 * makes the module load without it. The module must not contain `import()`, which the build converts
 * to `require`.
 *
 * @param file absolute path of the module
 * @param folder absolute path of the cache's folder, which contains nothing else; created if missing
 * @throws what the module throws when it is loaded
 */
export function loadWithCodeCache(file: string, folder: string): Loaded {
  const requireFrom = createRequire(file);
  const compiled = tryCompile(file, folder, requireFrom);
  // Returns the module that is already loaded, or reports its problem as usual.
  if (compiled === undefined) return { exports: requireFrom(file) };
  const { module, script, run, missing } = compiled;
  const path = module.filename;
  requireFrom.cache[path] = module;
  try {
    // The parent of required modules must be this module, because the extension host determines by
    // its path which extension loads the API.
    const require = Object.assign((id: string): unknown => module.require(id), requireFrom);
    run.call(module.exports, module.exports, require, module, path, dirname(path));
    module.loaded = true;
  } catch (error) {
    Reflect.deleteProperty(requireFrom.cache, path);
    throw error;
  }
  return {
    exports: module.exports,
    ...(missing !== undefined && { saveCodeCache: () => saveCodeCache(script, missing) }),
  };
}

/** Compiles a module; returns undefined if it's already loaded or can't be compiled. */
function tryCompile(
  file: string,
  folder: string,
  requireFrom: NodeJS.Require,
): Compiled | undefined {
  try {
    // The path by which other modules find this one, which is different below a symbolic link.
    // `require.resolve` returns the same path, but reads several files first.
    const path = realpathSync(file);
    if (requireFrom.cache[path] !== undefined) return undefined;
    const module = new Module(path);
    module.filename = path;
    module.paths = requireFrom.resolve.paths('any') ?? [];
    const code = prefix + readFileSync(path, 'utf8') + suffix;
    const cacheFile = join(folder, `${computeKey(code)}${cacheExtension}`);
    const cachedData = readCache(cacheFile);
    const script = new Script(code, {
      filename: path,
      columnOffset: -prefix.length,
      ...(cachedData !== undefined && { cachedData }),
    });
    const isUsed = cachedData !== undefined && script.cachedDataRejected === false;
    const run = script.runInThisContext() as ModuleFunction;
    return { module, script, run, missing: isUsed ? undefined : cacheFile };
  } catch {
    return undefined;
  }
}

/**
 * Returns the name of the cache for a script. It contains a checksum of the whole code, because V8
 * compares only the code's length and would run the former functions after a change. A cryptographic
 * hash would take several times as long, at each start, and protect against nothing: anyone who can
 * write to the folder can write to the extension, too.
 */
function computeKey(code: string): string {
  return [process.versions.v8, process.arch, code.length, crc32(code).toString(16)].join('-');
}

/** Returns a cache that is complete. V8 doesn't notice damage, which could crash the process. */
function readCache(file: string): Buffer | undefined {
  try {
    const stored = readFileSync(file);
    const data = stored.subarray(HEADER_BYTES);
    const header = createHeader(data);
    return header.equals(stored.subarray(0, HEADER_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  }
}

function createHeader(data: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(crc32(data));
  header.writeUInt32LE(data.length, 4);
  return header;
}

async function saveCodeCache(script: Script, file: string): Promise<void> {
  const folder = dirname(file);
  // Several windows can write at the same time.
  const unfinished = join(folder, `${randomUUID()}.unfinished`);
  try {
    const data = script.createCachedData();
    await mkdir(folder, { recursive: true });
    await writeFile(unfinished, Buffer.concat([createHeader(data), data]));
    await rename(unfinished, file);
    await deleteOthers(file);
  } catch {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

async function deleteOthers(file: string): Promise<void> {
  const folder = dirname(file);
  const others = (await readdir(folder))
    .map((name) => join(folder, name))
    .filter((path) => path !== file);
  await Promise.all(others.map((path) => rm(path, { recursive: true, force: true })));
}
