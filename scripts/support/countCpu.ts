// Runs a program and writes the CPU seconds that it and the processes below it have taken to a file, as Linux counts
// them for children that were waited for. Arguments: the file, the program, its arguments.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** The kernel's clock as all programs see it (`sysconf(_SC_CLK_TCK)`). */
const TICKS_PER_SECOND = 100;

function readChildSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The program's name, in parentheses, may contain spaces; cutime and cstime are fields 16 and 17 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

const [file = '', program = '', ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: 'inherit' });
child.once('error', (error) => {
  console.error(`${program}: ${error.message}`);
  process.exitCode = 127;
});
child.once('exit', (code) => {
  writeFileSync(file, String(readChildSeconds()));
  process.exitCode = code ?? 1;
});
