// Placeholder of the first step; replaced by the module.
