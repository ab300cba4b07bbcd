/** Imported before anything that imports React, which would be its slower development version otherwise. */
process.env.NODE_ENV = "production";
