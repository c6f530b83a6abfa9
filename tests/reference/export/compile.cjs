// Compiles a description into a Python module with the compiler of Kaitai.
const fs = require('node:fs');
const path = require('node:path');
const folder = path.resolve(process.argv[3]);
const Compiler = require(require.resolve('kaitai-struct-compiler', { paths: [folder] }));
const yaml = require(require.resolve('yaml', { paths: [folder] }));
const compiler = typeof Compiler === 'function' ? new Compiler() : Compiler;
const text = fs.readFileSync(process.argv[2], 'utf8');
compiler.compile('python', yaml.parse(text), null, false).then(files => {
  for (const [name, source] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), source);
}).catch(error => { console.error(String(error.message ?? error)); process.exit(1); });
