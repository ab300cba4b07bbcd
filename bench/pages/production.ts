/** Import this before anything that imports React, which would otherwise be its slower development version. */
process.env.NODE_ENV = "production";
