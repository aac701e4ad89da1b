public import ArgumentParser
public import CorpusReader

extension CorpusFormat: ExpressibleByArgument {}
